/** Circles of imports between the folders of one package. Types count, as between files. */
import { posix } from 'node:path'
import { circleFindings } from './circles.ts'
import type { Finding } from './finding.ts'
import { packageOf, type SourceFile } from './repository.ts'
import { scanImports } from './scan-imports.ts'

/** Deeper folders belong to the one they lie in at this depth. */
const DEPTH = 2

/** By package: one finding per circle. Files right in `src` belong to no folder. */
export function folderCircleFindings(files: readonly SourceFile[]): Map<string, Finding[]> {
  const folders = new Map<string, Set<string>>()
  for (const file of files) {
    const from = folderOf(file.path)
    if (from === null) continue
    const targets = folders.get(from) ?? new Set()
    folders.set(from, targets)
    for (const { specifier } of scanImports(file)) {
      if (!specifier.startsWith('.')) continue
      const to = folderOf(posix.join(posix.dirname(file.path), specifier))
      if (to !== null && to !== from) targets.add(to)
    }
  }
  const found = new Map<string, Finding[]>()
  for (const finding of circleFindings(asFiles(folders))) {
    const owner = packageOf(finding.path) ?? ''
    found.set(owner, [...(found.get(owner) ?? []), finding])
  }
  return found
}

/** Each folder as a file that imports other folders, in the form in which circles of files are looked for. */
function asFiles(folders: ReadonlyMap<string, ReadonlySet<string>>): SourceFile[] {
  return [...folders].map(([path, targets]) => ({
    path,
    text: [...targets].map((target) => `import '${relative(path, target)}'`).join('\n')
  }))
}

function relative(from: string, to: string): string {
  return `./${posix.join(posix.relative(posix.dirname(from), posix.dirname(to)), posix.basename(to))}`
}

/** `plugins/svc-x/src/a/b` of `plugins/svc-x/src/a/b/c/d.ts`; `null` for a file right in `src`. */
function folderOf(path: string): string | null {
  const [, root, inside] = /^(plugins\/[^/]+\/src\/)(.+)$/.exec(path) ?? []
  const folders = inside?.split('/').slice(0, -1).slice(0, DEPTH) ?? []
  return folders.length === 0 ? null : `${root}${folders.join('/')}`
}
