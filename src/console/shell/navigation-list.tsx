import { NavLink } from 'react-router';
import { useTranslations } from 'use-intl';
import { useAllowed } from '../session/allowed.tsx';
import { navigation } from './navigation.ts';
import classes from './shell.module.css';

/** The entries of the navigation, in groups; the one of this page is marked. */
export function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const t = useTranslations('navigation');
  const may = useAllowed();
  return navigation.map((group) => (
    <section key={group.key} aria-labelledby={`navigation-${group.key}`}>
      <div id={`navigation-${group.key}`} className={classes['group']}>
        {t(group.key)}
      </div>
      {group.destinations
        .filter(({ needs }) => needs === undefined || may(needs))
        .map(({ key, path, icon: Icon }) => (
          <NavLink key={key} to={path} end={path === '/'} className={classes['link']} onClick={onNavigate}>
            <Icon size={17} strokeWidth={1.8} aria-hidden />
            {t(key)}
          </NavLink>
        ))}
    </section>
  ));
}
