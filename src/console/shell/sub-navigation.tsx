import { NavLink, useLocation } from 'react-router';
import { showInRow } from './show-in-row.ts';
import classes from './sub-navigation.module.css';

/** The pages of one part of the console, as a row of links below its heading. */
export function SubNavigation(props: {
  /** The common name of the pages, for screen readers. */
  readonly label: string;
  readonly pages: readonly { readonly to: string; readonly label: string }[];
}) {
  const { pathname } = useLocation();
  return (
    <nav aria-label={props.label} className={classes['row']}>
      {props.pages.map(({ to, label }) => (
        <NavLink key={to} to={to} end className={classes['link']} ref={to === pathname ? showInRow : undefined}>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
