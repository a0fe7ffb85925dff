/**
 * Finds the entity files of a folder and imports them, for what they declare. Every file is tried; all problems are
 * reported together. Declarations, tests and names that start with `_` or `.` are no entity files.
 */
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { AppHost, Problem } from 'svc-kernel'
import { problemsOf } from 'svc-kernel/plugin'
import { readablePath } from './entities.ts'

const CODE = /\.[mc]?[tj]s$/
const NOT_CODE = /\.(?:d|test|spec)\.[mc]?[tj]s$/

/** @param folder absolute @returns absolute paths, sorted; `null` when there is no such folder */
export async function findEntityFiles(folder: string): Promise<string[] | null> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => isEntityFile(relative(folder, path)))
      .sort()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

function isEntityFile(path: string): boolean {
  const isHidden = path.split(sep).some((segment) => /^[_.]|^(?:tests?|node_modules)$/.test(segment))
  return CODE.test(path) && !NOT_CODE.test(path) && !isHidden
}

/** @param files absolute paths @returns what went wrong */
export async function loadEntities(files: readonly string[], host: AppHost): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  // One after the other: entities are listed in the order of their files.
  for (const file of files) problems.push(...(await loadFile(file, host)))
  return problems
}

/** The warning for a folder that is not there. */
export function absentFolder(folder: string): Problem {
  const got = readablePath(folder)
  const message = 'the folder of entities does not exist, so no entities are declared'
  return {
    code: 'SVC_ENTITY_DIR',
    message,
    at: 'svc-orm.dir',
    got,
    fix: 'npx svc create entity <Name> <fields...>, or correct dir'
  }
}

async function loadFile(file: string, host: AppHost): Promise<readonly Problem[]> {
  try {
    await host.importModule(file)
    return []
  } catch (error) {
    const path = readablePath(file)
    return problemsOf(error).map((problem) => ({
      ...problem,
      code: problem.code === 'SVC_BOOT_FAILED' ? 'SVC_ENTITY_FAILED' : problem.code,
      message: `${path} failed to load: ${problem.message}`,
      at: problem.at ?? path
    }))
  }
}
