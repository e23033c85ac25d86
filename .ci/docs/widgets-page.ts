// The page `/docs/widgets`, without the frame of the guide.

/** The elements in the order of the page, and their names in its list. */
export const WIDGETS: Readonly<Record<string, string>> = {
  'laurel-points': 'Points',
  'laurel-level': 'Level',
  'laurel-streak': 'Streak',
  'laurel-missions': 'Missions',
  'laurel-chests': 'Chests',
  'laurel-leaderboard': 'Leaderboard',
  'laurel-badges': 'Badges',
};

const LANGUAGES = { en: 'English', es: 'Español', ar: 'العربية' };
const SCHEMES = { light: 'Light', dark: 'Dark', auto: 'As the visitor chose' };

const options = (all: Readonly<Record<string, string>>) =>
  Object.entries(all)
    .map(([value, name]) => `<option value="${value}">${name}</option>`)
    .join('');

/** The content of the page. */
export const widgetsContent = `<main class="play" id="content" tabindex="-1">
<header>
<h1>Widgets</h1>
<p>Try them with the account of an example, or with a token of one of yours. <a href="/docs/guide/widgets">The guide</a> has the page around
them.</p>
</header>
<form id="choices">
<label>Widget<select name="widget">${options({ '': 'All of them', ...WIDGETS })}</select></label>
<label>Language<select name="lang">${options(LANGUAGES)}</select></label>
<label>Scheme<select name="scheme">${options(SCHEMES)}</select></label>
<label><span>Width: <output id="width-now"></output></span><input type="range" name="width" min="260" max="720" step="20" value="480"></label>
<label class="line"><input type="checkbox" name="own"> Another accent</label>
<label>Accent<input type="color" name="accent" value="#7a2fbf"></label>
<label>Account token<textarea id="token" rows="3" autocomplete="off" spellcheck="false"></textarea></label>
<small>The token stays in this page. Without one you see the example.</small>
<button>Show the account</button>
</form>
<section id="shown" aria-label="Widgets">${Object.keys(WIDGETS)
  .map((name) => `<${name}></${name}>`)
  .join('')}</section>
<section class="copied" aria-labelledby="to-copy">
<h2 id="to-copy">To copy</h2>
<pre tabindex="0"><code id="text"></code></pre>
<button type="button" id="copy">Copy</button>
</section>
</main>`;
