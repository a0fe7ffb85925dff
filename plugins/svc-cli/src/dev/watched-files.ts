/** Which changed files make the application run again, and which make its types be checked. Pure. */
import { isAbsolute, relative, sep } from 'node:path'

const SOURCE = /\.[cm]?[jt]s$/
const SETTINGS = /^(?:tsconfig\.json|package\.json|\.env(?:\.[\w.-]+)?)$/
const NOT_RUN = new Set(['node_modules', 'dist', 'test', 'coverage'])

/**
 * @param root absolute folder of the application
 * @param isLoaded whether the file is part of what ran; data files count only then
 */
export function mattersToApp(root: string, path: string, isLoaded: boolean): boolean {
  const name = nameBelow(root, path)
  if (name === null) return false
  const [top = ''] = name.split(sep)
  if (NOT_RUN.has(top)) return isLoaded
  if (SETTINGS.test(name)) return name !== '.env.example'
  if (name.split(sep).some((part) => part.startsWith('.'))) return false
  return isLoaded || (SOURCE.test(name) && !name.endsWith('.d.ts'))
}

/** Tests have types too; they just do not run with the application. */
export function mattersToTypes(root: string, path: string): boolean {
  const name = nameBelow(root, path)
  if (name === null || /^(?:node_modules|dist|coverage)(?:[\\/]|$)/.test(name)) return false
  return /\.[cm]?tsx?$/.test(name) || name === 'tsconfig.json'
}

function nameBelow(root: string, path: string): string | null {
  const name = relative(root, path)
  return name === '' || name.startsWith('..') || isAbsolute(name) ? null : name
}
