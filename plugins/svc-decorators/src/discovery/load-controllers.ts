/** Imports the controller files of a folder and picks their classes. Every file is tried; all problems are reported together. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { AppHost, Problem } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'
import { shortPath } from '../declarations/call-site.ts'
import { type ControllerClass, ownDeclarations } from '../declarations/declarations.ts'
import { loadProblem } from './load-problem.ts'

const CODE = /\.(?:ts|js|mts|mjs)$/
const NOT_CODE = /\.(?:d|test|spec)\.[mc]?[tj]s$/

export interface LoadedControllers {
  readonly classes: readonly ControllerClass[]
  readonly problems: readonly Problem[]
}

/** @param folder absolute path */
export async function loadControllers(folder: string, host: AppHost): Promise<LoadedControllers> {
  const files = await findControllerFiles(folder)
  if (files === null) return { classes: [], problems: [await missingFolder(folder, host)] }
  const loaded = await Promise.all(files.map((file) => loadFile(file, host)))
  return {
    classes: [...new Set(loaded.flatMap(({ classes }) => classes))],
    problems: loaded.flatMap(({ problems }) => problems)
  }
}

/** A folder beside it with nearly this name is the one that was meant: an empty one would be served without a word. */
async function missingFolder(folder: string, { root }: AppHost): Promise<Problem> {
  const beside = await readdir(dirname(folder), { withFileTypes: true }).catch(() => [])
  const names = beside.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const near = nearestName(basename(folder), names)
  const meant = near === undefined ? null : relative(root, join(dirname(folder), near)).replaceAll(sep, '/')
  return {
    code: 'SVC_CONTROLLER_DIR',
    message: `the folder of controllers does not exist${near === undefined ? '' : ` (did you mean ${near}?)`}`,
    at: 'svc-decorators.dir',
    got: shortPath(folder),
    fix: meant === null ? `mkdir ${shortPath(folder)}` : `dir: '${meant.startsWith('.') ? '' : './'}${meant}'`
  }
}

async function loadFile(file: string, host: AppHost): Promise<LoadedControllers> {
  let exported: unknown[]
  try {
    exported = Object.values(await host.importModule(file))
  } catch (error) {
    return { classes: [], problems: loadProblem(file, await readFile(file, 'utf8').catch(() => ''), error) }
  }
  const declared = exported.filter(
    (value) => typeof value === 'function' && ownDeclarations(value) !== null
  ) as ControllerClass[]
  const classes = declared.filter((Class) => ownDeclarations(Class)?.controller !== null)
  if (classes.length > 0) return { classes, problems: [] }
  const [forgotten] = declared
  return {
    classes,
    problems: [
      {
        code: 'SVC_CONTROLLER_NOT_LOADED',
        message: `${shortPath(file)} has no exported class with @controller`,
        at: shortPath(file),
        fix:
          forgotten === undefined
            ? 'export the class, or start the file name with _ if it contains no controller'
            : `put @controller('/prefix') above class ${forgotten.name}`
      }
    ]
  }
}

/**
 * The controller files below a folder. Declarations, tests and names that start with `_` or `.` are not.
 *
 * @returns absolute paths, sorted; `null` when there is no such folder.
 */
export async function findControllerFiles(folder: string): Promise<string[] | null> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => isControllerFile(path.slice(folder.length + 1)))
      .sort()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

function isControllerFile(path: string): boolean {
  const segments = path.split(sep)
  return (
    CODE.test(path) &&
    !NOT_CODE.test(path) &&
    !segments.some((segment) => /^[_.]|^(?:test|tests|node_modules)$/.test(segment))
  )
}
