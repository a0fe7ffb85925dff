/** The names of a package's main entry that have no doc comment directly above their declaration. */
import { type Declaration, exportsOf, type Module } from './exported-names.ts'
import type { Finding } from './finding.ts'
import { lineAt } from './finding.ts'
import { inRoot, ROOT } from './repository.ts'

/** A comment that ends on the line before, or before a directive of the linter. */
const ABOVE = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?:\/\/ biome-ignore .*\n)*$/

/**
 * What needs none: the default export, which is the plugin and has the header of its entry, and names of other packages,
 * which have theirs where they are declared.
 */
export function undocumentedNames(entry: string): Finding[] {
  return [...exportsOf(inRoot(entry))]
    .filter(([name, declaration]) => name !== 'default' && declaration.from === null && !isDocumented(declaration))
    .map(([name, { module, statements }]) => ({
      path: pathOf(module),
      line: lineAt(module.text, statements[0]?.start ?? 0),
      problem: `${name}, which ${entry} exports, has no doc comment directly above it`,
      fix: 'say in one sentence what it is, with units, errors and source where they matter; or export it from a subpath'
    }))
}

export function isDocumented({ statements, module }: Pick<Declaration, 'statements' | 'module'>): boolean {
  return statements.some(({ start }) => ABOVE.test(module.text.slice(0, start)))
}

function pathOf({ path }: Module): string {
  return path.slice(ROOT.length + 1)
}
