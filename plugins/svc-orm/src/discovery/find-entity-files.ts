/** Finds the entity files below a folder. Declarations, tests and names that start with `_` or `.` are none. */
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

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
