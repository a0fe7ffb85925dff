/** Finds the controller files below a folder. Declarations, tests and names that start with `_` or `.` are none. */
import { readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'

const CODE = /\.(?:ts|js|mts|mjs)$/
const NOT_CODE = /\.(?:d|test|spec)\.[mc]?[tj]s$/

/** @returns absolute paths, sorted; `null` when there is no such folder. */
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
