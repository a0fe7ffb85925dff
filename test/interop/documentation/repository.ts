/** Where the repository is, seen from the compiled tests, and which pages belong to its documentation. */
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Absolute folder of the repository. */
export const ROOT = resolve(import.meta.dirname, '../../../..')

/** Pages of the documentation, relative to the root: those at the root, `docs/` and each plugin's own README. */
export function documentationPages(): string[] {
  return globSync(['*.md', 'docs/**/*.md', 'plugins/*/README.md'], { cwd: ROOT }).sort()
}

/** The pages a created application brings along. Their links must hold too; their code is tested as an application. */
export function templatePages(): string[] {
  return globSync('app-template/**/*.md', { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort()
}

export function inRepository(path: string): string {
  return join(ROOT, path)
}
