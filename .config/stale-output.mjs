/**
 * Removes compiled files whose source is gone. The compiler never does, and a test that was renamed would
 * otherwise go on running from its old output.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

const emitted = /\.(?:js|d\.ts)(?:\.map)?$/
/** Folders of `dist` that hold bundles, which mirror no sources. */
const bundled = ['web', 'portal']

/** Returns the paths it removed. `project` is a folder whose output lies in `dist`, mirroring the sources. */
export function removeStaleOutput(project) {
  const dist = join(project, 'dist')
  if (!existsSync(dist)) return []
  const stale = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && emitted.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !bundled.includes(relative(dist, file).split(sep)[0]))
    .filter((file) => !existsSync(join(project, relative(dist, file).replace(emitted, '.ts'))))
  for (const file of stale) rmSync(file)
  return stale
}

/** The folders of the projects that the root tsconfig.json names. */
export function projectFolders(root, references) {
  return references.map(({ path }) => (path.endsWith('.json') ? dirname(join(root, path)) : join(root, path)))
}
