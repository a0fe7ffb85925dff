/**
 * Finds the line of an option in the text of a config file, by walking the
 * keys of its path in order. A help for the eye: where the text does not show
 * the key (it was computed), the nearest key above it is named.
 */

/**
 * @param path `svc-security.areas.api.patern` or `modules[2]`
 * @returns a line counted from 1, or `null` when not even the module is found
 */
export function locateOption(text: string, path: string): number | null {
  const [head = '', ...keys] = path
    .replace(/ .*$/, '')
    .split(/\.|\[(\d+)\]/)
    .filter((part) => part !== undefined && part !== '')
  const list = text.search(/\bmodules\s*:/)
  let position = head === 'modules' ? list : text.indexOf(camelCase(head), Math.max(list, 0))
  if (position === -1) return null
  for (const key of keys) {
    if (/^\d+$/.test(key)) continue
    const found = text.slice(position).search(new RegExp(`(?<![\\w$])['"]?${escapePattern(key)}['"]?\\s*:`))
    if (found === -1) break
    position += found
  }
  return text.slice(0, position).split('\n').length
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
