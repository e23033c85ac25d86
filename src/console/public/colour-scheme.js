// Sets the remembered colour scheme before the first paint, so that a dark page does not flash white. Mantine reads and
// writes the same entry.
const remembered = localStorage.getItem('laurel.colour-scheme') ?? 'auto';
const dark = remembered === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : remembered === 'dark';
document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
