/** The folder of seeds: a file for each, which run in the order of their names. A connector other than the first has a folder in it. */
import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type AppHost, BootError, type Problem } from 'svc-kernel'
import { problemsOf } from 'svc-kernel/plugin'
import { readablePath } from '../entities/entities.ts'
import type { Seed } from './seed.ts'

const FILE = /^([A-Za-z0-9][\w.-]*?)\.[mc]?[tj]s$/
const NO_SEED = /\.(?:d|test|spec)\.[mc]?[tj]s$/

export interface SeedFile {
  /** Of the file, without its extension. */
  readonly name: string
  /** Absolute. */
  readonly path: string
}

/** @param folder absolute @returns none where there is no such folder */
export async function seedFiles(folder: string): Promise<readonly SeedFile[]> {
  const found = new Map<string, string>()
  for (const file of (await filesOf(folder)).filter((each) => !NO_SEED.test(each)).sort()) {
    const name = FILE.exec(file)?.[1]
    // A build lays what it made beside its source.
    if (name !== undefined && (!found.has(name) || extname(file) === '.ts')) found.set(name, join(folder, file))
  }
  return [...found].map(([name, path]) => ({ name, path }))
}

/** @throws BootError SVC_ORM_SEED_FILE */
export async function loadSeed({ path }: SeedFile, { importModule }: Pick<AppHost, 'importModule'>): Promise<Seed> {
  const loaded = await importModule(path).catch((error: unknown) => {
    throw new BootError(
      problemsOf(error).map((problem) => faulty(path, problem.message)),
      { cause: error }
    )
  })
  if (typeof loaded.default !== 'function') throw new BootError([faulty(path, 'its default export is not a seed')])
  return loaded.default as Seed
}

async function filesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

function faulty(path: string, why: string): Problem {
  return {
    code: 'SVC_ORM_SEED_FILE',
    message: `a seed cannot be loaded: ${why.split('\n', 1)[0]}`,
    at: readablePath(path),
    expected: 'export default defineSeed(async ({ repository }) => { ... })',
    fix: 'correct the file'
  }
}
