/** The part of an OpenAPI description that the page shows. */
export type OpenApi = {
  readonly info?: { readonly title?: string; readonly version?: string; readonly description?: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
};

type OpenApiOperation = {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
};

type Row = { readonly tag: string; readonly method: string; readonly path: string; readonly words: string };

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** One page that lists every REST operation. It loads nothing else, so that it works without a network. */
export function docsPage(openapi: OpenApi): string {
  const title = escape(`${openapi.info?.title ?? 'Laurel'} ${openapi.info?.version ?? ''}`.trim());
  const sections = Object.entries(Object.groupBy(rowsOf(openapi), ({ tag }) => tag));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p>${escape(openapi.info?.description ?? '')}</p>
<p>Machine-readable: <a href="/openapi.json">/openapi.json</a>. The same operations answer gRPC, gRPC-Web and Connect on this
port; server reflection describes them. Every call carries <code>Authorization: Bearer &lt;API_KEY&gt;</code>.</p>
</header>
<main>
${sections.map(([tag, rows]) => section(tag, rows ?? [])).join('\n')}
</main>
</body>
</html>
`;
}

function rowsOf(openapi: OpenApi): Row[] {
  return Object.entries(openapi.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const words = operation.summary ?? operation.description ?? operation.operationId ?? '';
      return [{ tag: operation.tags?.[0] ?? 'Operations', method: method.toUpperCase(), path, words }];
    }),
  );
}

function section(tag: string, rows: readonly Row[]): string {
  const lines = rows.map(
    ({ method, path, words }) =>
      `<tr><td><b class="${method}">${method}</b></td><td><code>${escape(path)}</code></td><td>${prose(firstSentence(words))}</td></tr>`,
  );
  return `<section><h2>${escape(tag)}</h2><table>${lines.join('')}</table></section>`;
}

function firstSentence(words: string): string {
  return words.split(/(?<=\.)\s/)[0] ?? '';
}

/** The comments of the protos mark code with backticks. */
function prose(words: string): string {
  return escape(words).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 72rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { width: 100%; border-collapse: collapse; }
td { padding: .4rem .6rem; border-top: 1px solid color-mix(in srgb, currentColor 18%, transparent); vertical-align: top; }
td:first-child { width: 5rem; } td:nth-child(2) { width: 45%; overflow-wrap: anywhere; }
b { font-size: .8rem; letter-spacing: .03em; }
.GET { color: #2b7a4b; } .POST { color: #2563c9; } .PUT, .PATCH { color: #a8650b; } .DELETE { color: #c0392b; }
code { font: .9em ui-monospace, monospace; }
`;
