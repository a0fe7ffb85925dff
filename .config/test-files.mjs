/**
 * Finds the compiled test files and picks those a person named. People name sources
 * (`plugins/svc-kernel/test/ids`), tap runs what the compiler made of them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** All compiled tests of the given project folders, as sorted paths relative to `root`. */
export function compiledTests(root, projects) {
  return projects
    .map((project) => join(project, 'dist'))
    .filter((dist) => existsSync(dist))
    .flatMap((dist) =>
      readdirSync(dist, { recursive: true })
        .filter((name) => name.endsWith('.test.js'))
        .map((name) => relative(root, join(dist, name)).split(sep).join('/'))
    )
    .sort()
}

/** How a header says why only the long run has the file. */
const LONG = /^\/\*\*(?:(?!\*\/)[\s\S])*\bIn the long run: \S/

/** The tests that every run has, and those that only the long run has. */
export function splitByLength(root, files) {
  // Of the source: the compiler puts its helpers before the header.
  const isLong = (file) => LONG.test(readFileSync(join(root, sourceOf(file)), 'utf8'))
  return { short: files.filter((file) => !isLong(file)), long: files.filter(isLong) }
}

/** The tests whose source path contains one of the words; all of them when there is no word. */
export function matchingTests(files, words) {
  if (words.length === 0) return files
  const wanted = words.map((word) => word.replace(/^\.\//, ''))
  return files.filter((file) => wanted.some((word) => sourceOf(file).includes(word) || file.includes(word)))
}

/** `plugins/x/dist/test/a.test.js` comes from `plugins/x/test/a.test.ts`. */
export function sourceOf(file) {
  return file.replace(/(^|\/)dist\//, '$1').replace(/\.js$/, '.ts')
}
