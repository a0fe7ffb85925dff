/**
 * Reads the doc comments of an options schema from the declaration file that the compiler wrote of it: what an editor
 * shows for an option, wherever the schema takes it from. Pure.
 */

/** By the place in the schema, such as `properties/areas/additionalProperties/properties/pattern`. */
export function optionComments(declaration: string): Map<string, string> {
  const comments = new Map<string, string>()
  const lines = declaration.split('\n')
  const path: string[] = []
  let comment: string[] = []
  for (const line of lines.slice(lines.indexOf('export declare const optionsSchema: {') + 1)) {
    if (line === '};') break
    const [, indent = '', key] = /^( +)readonly "?([^":]+)"?: /.exec(line) ?? []
    if (key === undefined) {
      comment = line.trim().startsWith('/**') ? [line] : [...comment, line]
      continue
    }
    path.splice(indent.length / 4 - 1, path.length, key)
    if (comment[0]?.trim().startsWith('/**')) comments.set(path.join('/'), textOf(comment))
    comment = []
  }
  return comments
}

function textOf(lines: readonly string[]): string {
  return lines
    .map((line) => line.replace(/^\s*(?:\/\*\*|\*\/|\*)?\s?/, '').replace(/\s*\*\/\s*$/, ''))
    .filter((line) => line !== '')
    .join(' ')
}
