/** Twin packages: drivers of one port, whose folders have the same names. Each may have a few of its own. */
import type { Finding } from './finding.ts'

/** By package: the folders of `src` that its twins do not have, since their engines need none. */
export const TWINS: Readonly<Record<string, readonly string[]>> = {
  'svc-sqlorm': ['engines', 'row-security'],
  'svc-docdb': ['embedded', 'environment', 'models']
}

/** `paths` are all files of the repository, relative to its root. */
export function twinFindings(paths: readonly string[], twins = TWINS): Finding[] {
  const shared = Object.entries(twins).map(([name, own]) => {
    return { name, folders: [...foldersOf(name, paths)].filter((folder) => !own.includes(folder)) }
  })
  const every = new Set(shared.flatMap(({ folders }) => folders))
  return [...every].flatMap((folder) =>
    shared
      .filter(({ folders }) => !folders.includes(folder))
      .map(({ name }) => ({
        path: `plugins/${name}/src`,
        line: 0,
        problem: `has no folder ${folder}, which its twin has`,
        fix: 'give what is the same the same name, or list the folder as one that only its package needs'
      }))
  )
}

function foldersOf(name: string, paths: readonly string[]): Set<string> {
  const inside = paths.map((path) => new RegExp(`^plugins/${name}/src/([^/]+)/`).exec(path)?.[1])
  return new Set(inside.filter((folder) => folder !== undefined))
}
