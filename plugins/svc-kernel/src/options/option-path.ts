/** Names an option the way a person points at it: `svc-security.areas.api.authenticators[0]`. */

/** @param root plugin name; empty for a key of the config itself */
export function optionPath(root: string, segments: readonly string[]): string {
  return segments.reduce((path, part) => {
    if (/^\d+$/.test(part)) return `${path}[${part}]`
    return path === '' ? part : `${path}.${part}`
  }, root)
}

/** The keys of a JSON pointer, unescaped (RFC 6901, section 4). */
export function pointerSegments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
