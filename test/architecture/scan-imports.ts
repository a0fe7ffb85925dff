/**
 * Reads the imports of a source: static, re-exporting, for side effects, dynamic, over several lines, types included.
 * Only specifiers written as literals are seen.
 */
import { lineAt } from './finding.ts'
import { maskSource } from './mask-source.ts'
import type { SourceFile } from './repository.ts'

export interface Import {
  specifier: string
  /** 1-based line of the statement. */
  line: number
  /** Gone after compilation. `import { type X }` is not: the module is still loaded. */
  typeOnly: boolean
}

const CLAUSE = String.raw`(?:[\w$]+\s*,?\s*)?(?:\{[^{}]*\}|\*(?:\s*as\s+[\w$]+)?)?`
const STATIC = new RegExp(
  String.raw`(?<![\w$.])(?:import|export)\s*(?<type>type\b(?!\s*from\b)\s*)?${CLAUSE}\s*\bfrom\s*(?=['"])`,
  'g'
)
const SIDE_EFFECT = /(?<![\w$.])import\s*(?=['"])/g
const DYNAMIC = /(?<type>\btypeof\s+)?(?<![\w$.])import\s*\(\s*(?=['"`])/g

export function scanImports(file: SourceFile): Import[] {
  const { code } = maskSource(file.text)
  return [STATIC, SIDE_EFFECT, DYNAMIC]
    .flatMap((pattern) => [...code.matchAll(pattern)])
    .sort((a, b) => a.index - b.index)
    .map((match) => {
      const opening = match.index + match[0].length
      const quote = file.text.charAt(opening)
      return {
        specifier: file.text.slice(opening + 1, file.text.indexOf(quote, opening + 1)),
        line: lineAt(file.text, match.index),
        typeOnly: match.groups?.type !== undefined
      }
    })
}

/** The package a specifier names: `@a/b` of `@a/b/c.js`; `null` for relative paths and Node's own modules. */
export function packageNamed(specifier: string): string | null {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return null
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}
