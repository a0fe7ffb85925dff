/** The lines around a mistake in a source file, with a mark below the place. */

const BEFORE = 2
const AFTER = 1

/**
 * @param line counted from 1
 * @param column counted from 1; without it no mark is drawn
 * @returns `undefined` where the text has no such line
 */
export function codeFrame(text: string, line: number, column?: number): string | undefined {
  const lines = text.split(/\r?\n/)
  if (line < 1 || line > lines.length) return undefined
  const first = Math.max(1, line - BEFORE)
  const last = Math.min(lines.length, line + AFTER)
  const width = String(last).length
  return lines
    .slice(first - 1, last)
    .flatMap((source, index) => {
      const number = first + index
      const shown = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${source}`.trimEnd()
      if (number !== line || column === undefined) return [shown]
      return [shown, `  ${' '.repeat(width)} | ${source.slice(0, column - 1).replace(/[^\t]/g, ' ')}^`]
    })
    .join('\n')
}
