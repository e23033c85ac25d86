export function findPython(): { readonly path: string; readonly tag: string } | undefined;
