/**
 * Reads the URL of a connector: which engine, and where. Pure: where a file
 * of SQLite lies is asked of the function that is handed in.
 */

export type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly path: string; readonly target: string }
  | { readonly engine: 'postgres'; readonly url: string }

export const URL_FORMS = 'sqlite:<path>, sqlite::memory: or postgres://user:password@host:5432/database'

/** @returns `null` when it is none of `URL_FORMS` */
export function parseDatabaseUrl(url: string, dataPath: (path: string) => string): DatabaseAddress | null {
  if (url.includes('\0')) return null
  const file = /^sqlite:(?:\/\/(?=\/|\.))?(.+)$/.exec(url)?.[1]
  if (file === ':memory:') return { engine: 'sqlite', path: file, target: url }
  if (file !== undefined) return { engine: 'sqlite', path: dataPath(file), target: `sqlite:${file}` }
  if (!/^postgres(?:ql)?:\/\/./.test(url) || !URL.canParse(url)) return null
  return { engine: 'postgres', url }
}
