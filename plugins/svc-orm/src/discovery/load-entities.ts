/** Imports the entity files of a folder, for what they declare. Every file is tried; all problems are told together. */
import { type AppHost, type Problem, problemsOf } from 'svc-kernel'
import { readablePath } from '../entity/declaration-site.ts'

/** @param files absolute paths @returns what went wrong */
export async function loadEntities(files: readonly string[], host: AppHost): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  // One after the other: entities are listed in the order of their files.
  for (const file of files) problems.push(...(await loadFile(file, host)))
  return problems
}

/** What is told of a folder that is not there. */
export function absentFolder(folder: string): Problem {
  const got = readablePath(folder)
  const message = 'the folder of entities does not exist: none are declared'
  return { code: 'SVC_ENTITY_DIR', message, at: 'svc-orm.dir', got, fix: 'svc create entity, or correct dir' }
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
