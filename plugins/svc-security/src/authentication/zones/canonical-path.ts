/**
 * The path of a request target as the router reads it: scheme and authority
 * stripped, cut at the query, decoded once, folded as configured. Matching any
 * other form was measured to be bypassable (`/%61dmin`, `http://x/admin`).
 */
import type { RouterFolding } from './router-folding.ts'

const ABSOLUTE = /^https?:\/\/[^/?#]+/i

/** @returns `null` for a target that cannot be read as a path, such as `*` or a broken escape */
export function canonicalPath(target: string, folding: RouterFolding): string | null {
  const origin = target.startsWith('/') ? '' : (ABSOLUTE.exec(target)?.[0] ?? null)
  if (origin === null) return null
  const rest = target.slice(origin.length)
  let path = decodeOnce(cut(rest.startsWith('/') ? rest : `/${rest}`, folding.semicolonDelimiter))
  if (path === null) return null
  if (folding.ignoreDuplicateSlashes) path = path.replace(/\/{2,}/g, '/')
  if (folding.ignoreTrailingSlash && path.length > 1 && path.endsWith('/')) path = path.slice(0, -1)
  return path
}

function cut(path: string, semicolonDelimiter: boolean): string {
  const end = path.search(semicolonDelimiter ? /[?#;]/ : /[?#]/)
  return end === -1 ? path : path.slice(0, end)
}

/** As the router: reserved characters stay escaped, and `%25` does not become a new escape. */
function decodeOnce(path: string): string | null {
  if (!path.includes('%')) return path
  try {
    return decodeURI(path.replaceAll('%25', '%2525'))
  } catch {
    return null
  }
}
