/** What must not stand in a public repository: one machine's paths, registry addresses, notes of unfinished work. */
import { type Finding, lineAt } from './finding.ts'
import type { SourceFile } from './repository.ts'

const STRAY: readonly [pattern: RegExp, problem: string, fix: string][] = [
  [
    /(?<![\w.~/-])\/(?:work\/(?:main|shared)|root\/[\w.]|home\/(?!me\/)\w+\/)/g,
    'names a folder of one machine',
    'write a path from the repository root'
  ],
  [
    /https?:\/\/(?:registry|npm)\.[\w.-]+/g,
    'names a package registry',
    'leave the registry to the configuration of npm'
  ],
  [/"resolved": "https?:/g, 'pins a package to a registry', 'install with omit-lockfile-registry-resolved'],
  [/\b(?:TO[D]O|FIX[M]E|XX[X])\b/g, 'is a note of unfinished work', 'do it, or describe the limit in the documentation']
]

export function strayTextFindings(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) =>
    STRAY.flatMap(([pattern, problem, fix]) =>
      [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
        path,
        line: lineAt(text, index),
        problem: `${problem}: ${found}`,
        fix
      }))
    )
  )
}
