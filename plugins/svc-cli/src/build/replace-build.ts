/**
 * Puts a new build in the place of the one before. Only what a compiler writes
 * is ever deleted, so that a database or a key which somebody keeps in the
 * build folder outlives every build.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

const COMPILED = /\.(?:[cm]?js|d\.[cm]?ts)(?:\.map)?$|\.tsbuildinfo$/

/**
 * @param fresh folder of the new build; its files are moved out of it
 * @param target made where it is not there
 * @returns paths, relative to `target`, of what no compiler made: it stays as it is
 */
export async function replaceBuild(fresh: string, target: string): Promise<readonly string[]> {
  const made = new Set(await filesIn(fresh))
  const kept: string[] = []
  for (const name of existsSync(target) ? await filesIn(target) : []) {
    if (made.has(name)) continue
    if (COMPILED.test(name)) await rm(join(target, name))
    else kept.push(name)
  }
  for (const name of made) {
    await mkdir(dirname(join(target, name)), { recursive: true })
    await rename(join(fresh, name), join(target, name))
  }
  await removeEmpty(target)
  return kept
}

/** Everything below a folder that is no folder itself; a link is not followed. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

/** Folders whose sources are gone, deepest first. */
async function removeEmpty(target: string): Promise<void> {
  const entries = await readdir(target, { recursive: true, withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
  for (const folder of folders.sort((one, other) => other.length - one.length)) {
    if ((await readdir(folder)).length === 0) await rmdir(folder)
  }
}
