/** The wanted state of an element. */
export type View = { readonly tag: string; readonly attributes: Attributes; readonly children: readonly Child[] };

/** Something to show; nothing for `undefined` and `false`. */
export type Child = View | string | false | undefined;

/** Attributes; names with `--` are variables of the style, functions are handlers such as `onclick`. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

const SVG = 'http://www.w3.org/2000/svg';

/** The attributes that `draw` has set. */
const drawn = new WeakMap<Element, Attributes>();

/** Describes an element. */
export function h(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): View {
  return { tag, attributes, children };
}

/**
 * Makes the children of a node those that are wanted. Elements in their places stay, so that focus, selection and animations do. Texts are
 * never read as HTML.
 */
export function draw(parent: Node, children: readonly Child[]): void {
  const wanted = children.filter((child) => child !== undefined && child !== false && child !== '');
  for (const [index, child] of wanted.entries()) {
    const present = parent.childNodes[index];
    if (typeof child === 'string') drawText(parent, present, child);
    else if (child) drawElement(parent, present, child);
  }
  while (parent.childNodes.length > wanted.length) parent.lastChild?.remove();
}

function drawText(parent: Node, present: ChildNode | undefined, text: string): void {
  if (present?.nodeType !== Node.TEXT_NODE) place(parent, present, document.createTextNode(text));
  else if (present.nodeValue !== text) present.nodeValue = text;
}

function drawElement(parent: Node, present: ChildNode | undefined, { tag, attributes, children }: View): void {
  const fits =
    present instanceof Element && present.localName === tag && drawn.get(present)?.['key'] === attributes['key'];
  const element = fits ? present : create(parent, tag);
  setAttributes(element, attributes);
  draw(element, children);
  if (!fits) place(parent, present, element);
}

function create(parent: Node, tag: string): Element {
  const isSvg = tag === 'svg' || (parent instanceof Element && parent.namespaceURI === SVG);
  return isSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
}

function place(parent: Node, present: ChildNode | undefined, node: Node): void {
  if (present === undefined) parent.appendChild(node);
  else present.replaceWith(node);
}

function setAttributes(element: Element, attributes: Attributes): void {
  const before = drawn.get(element) ?? {};
  drawn.set(element, attributes);
  for (const name of Object.keys({ ...before, ...attributes })) {
    const value = attributes[name];
    if (name === 'key' || value === before[name]) continue;
    if (name.startsWith('--')) (element as HTMLElement).style.setProperty(name, String(value ?? ''));
    else if (name.startsWith('on')) Object.assign(element, { [name]: value ?? null });
    else if (value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}
