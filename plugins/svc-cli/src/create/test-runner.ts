/**
 * What the tests of an application run with. Sources of tests are written for `node:test`; for tap they are put into its
 * words, of which a generated test uses few. What runs an application's tests is known by its package.json.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PackageFile, readPackage } from '../application/app-packages.ts'
import type { NewFile } from '../application/write-new-files.ts'

export type TestRunner = 'node' | 'tap'

const TAP_VERSION = '^21.8.0'

/** tap's own compiler plugin wants an older TypeScript than the applications have: their tests are compiled before. */
const TAP_SETTINGS = ['plugin:', '  - "!@tapjs/typescript"', 'disable-coverage: true', 'exclude: []']

/** In the order in which they are applied. */
const WORDS: ReadonlyArray<readonly [from: RegExp, to: string]> = [
  [/^import assert from 'node:assert\/strict'\n/m, ''],
  [/(import (?:type )?\{.*) from 'node:test'/, "$1 from 'tap'"],
  [/\bTestContext\b/g, 'Test'],
  [/^test\((.*), (?:async )?\(\) => \{$/gm, 'test($1, async (t) => {'],
  [/\bassert\.deepEqual\(/g, 't.strictSame('],
  [/\bassert\.(equal|throws)\(/g, 't.$1(']
]

/** @param source of a test for `node:test`, as the template and the generators have it */
export function testSource(source: string, runner: TestRunner): string {
  return runner === 'node' ? source : WORDS.reduce((text, [from, to]) => text.replace(from, to), source)
}

/** Generated files, with their tests for the runner of the application. */
export function filesForRunner(root: string, files: readonly NewFile[]): NewFile[] {
  const runner = 'tap' in (readPackage(root).devDependencies ?? {}) ? 'tap' : 'node'
  return files.map(({ path, text }) => ({ path, text: path.startsWith('test/') ? testSource(text, runner) : text }))
}

/** Puts the tests of a new application into tap's words, and writes its settings. @returns its package.json with tap */
export async function useTap<Manifest extends PackageFile>(folder: string, manifest: Manifest): Promise<Manifest> {
  const tests = join(folder, 'test')
  for (const name of await readdir(tests)) await rewrite(join(tests, name), (text) => testSource(text, 'tap'))
  await rewrite(join(folder, 'README.md'), (text) => text.replace('tests for `node --test`', 'tests for `tap`'))
  const scripts = manifest.scripts as Readonly<Record<string, string>>
  const environment = /--env-file=\S+/.exec(scripts.test ?? '')?.[0]
  const settings = [...TAP_SETTINGS, ...(environment === undefined ? [] : ['node-arg:', `  - "${environment}"`])]
  await writeFile(join(folder, '.taprc'), `${settings.join('\n')}\n`)
  return {
    ...manifest,
    scripts: { ...scripts, pretest: 'tap build', test: 'svc build && tap "dist/test/**/*.test.js"' },
    devDependencies: Object.fromEntries(
      Object.entries({ ...manifest.devDependencies, tap: TAP_VERSION }).sort(([a], [b]) => (a < b ? -1 : 1))
    )
  }
}

async function rewrite(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')))
}
