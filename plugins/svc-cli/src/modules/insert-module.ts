/** Writes a module into the text of a config file: an import, and an entry at its place in the list. Pure. */
import type { KnownModule } from './known-modules.ts'
import { findModuleList } from './module-list.ts'

/**
 * @param place index of the entry that will follow it; as many as there are entries to be the last
 * @returns `null` when the text is not one that can be edited with certainty
 */
export function insertModule(text: string, module: KnownModule, place: number): string | null {
  const list = findModuleList(text)
  const imports = importEnd(text)
  if (list === null || imports === null || place > list.entries.length) return null
  if (new RegExp(`\\b${module.local}\\b`).test(text)) return null
  const next = list.entries[place]
  const edited = next === undefined ? append(text, list, module) : before(text, next.start, module)
  if (edited === null) return null
  return `${edited.slice(0, imports)}import ${module.local} from '${module.package}'\n${edited.slice(imports)}`
}

/** Right before an entry that is on its own line, above the comments that belong to it. */
function before(text: string, start: number, { entry }: KnownModule): string | null {
  const indent = indentAt(text, start)
  if (indent === null) return null
  let at = start - indent.length
  for (;;) {
    const above = text.lastIndexOf('\n', at - 2) + 1
    if (at === 0 || !/^\s*\/\//.test(text.slice(above, at))) break
    at = above
  }
  const lines = entry.map((line) => `${indent}${line}`).join('\n')
  return `${text.slice(0, at)}${lines},\n${text.slice(at)}`
}

function append(
  text: string,
  { entries, end, trailingComma }: NonNullable<ReturnType<typeof findModuleList>>,
  { entry }: KnownModule
): string | null {
  const last = entries.at(-1)
  const closing = indentAt(text, end)
  if (last === undefined) {
    const inside = text.slice(text.lastIndexOf('[', end) + 1, end)
    if (/\S/.test(inside)) return null
    const outer = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', end) + 1))?.[0] ?? ''
    const lines = entry.map((line) => `${outer}  ${line}`).join('\n')
    return `${text.slice(0, end - inside.length)}\n${lines}\n${outer}${text.slice(end)}`
  }
  const indent = indentAt(text, last.start)
  if (indent === null || closing === null) return null
  const lines = entry.map((line) => `${indent}${line}`).join('\n')
  const head = text.slice(0, end - closing.length)
  const kept = head.trimEnd()
  // A comment after the last entry would swallow the comma.
  if (!trailingComma && /\/\/[^\n]*$/.test(kept.slice(kept.lastIndexOf('\n') + 1))) return null
  return `${kept}${trailingComma ? '' : ','}\n${lines}${trailingComma ? ',' : ''}\n${closing}${text.slice(end)}`
}

/** The blanks before an offset, where nothing else precedes it on its line. */
function indentAt(text: string, offset: number): string | null {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*$/.test(line) ? line : null
}

/** The offset after the last import of a package, which come before those of the application's own files. */
function importEnd(text: string): number | null {
  const imports = [...text.matchAll(/^import\s[^'"]*['"]([^'"\n]+)['"];?[ \t]*\n/gm)]
  const last = imports.findLast(([, source]) => !source?.startsWith('.')) ?? imports.at(-1)
  return last === undefined ? null : last.index + last[0].length
}
