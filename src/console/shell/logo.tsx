/** The mark: a laurel wreath on its green. Decorative; the name is beside it. */
export function Logo({ size = 28 }: { readonly size?: number }) {
  return <img src={`${import.meta.env.BASE_URL}laurel.svg`} width={size} height={size} alt="" />;
}
