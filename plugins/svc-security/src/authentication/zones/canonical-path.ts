/** The path of a request target as this server's router reads it, with the router's own folding. */
import type { FastifyInstance } from 'fastify'

const ABSOLUTE = /^https?:\/\/[^/?#]+/i

/**
 * Scheme and authority stripped, cut at the query, decoded once, folded as configured. Matching any other form was
 * measured to be bypassable (`/%61dmin`, `http://x/admin`).
 *
 * @returns `null` for a target that cannot be read as a path, such as `*` or a broken escape
 */
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

/** How the router folds a path before it matches; the firewall folds alike. */
export interface RouterFolding {
  readonly ignoreCase: boolean
  readonly ignoreDuplicateSlashes: boolean
  readonly ignoreTrailingSlash: boolean
  readonly semicolonDelimiter: boolean
}

/** The router's own switches; Fastify's types leave some of them out. */
interface RouterSwitches {
  readonly caseSensitive?: boolean
  readonly ignoreDuplicateSlashes?: boolean
  readonly ignoreTrailingSlash?: boolean
  readonly useSemicolonDelimiter?: boolean
}

/** Switches are under `routerOptions` or, as in older applications, at the top; either one counts. */
export function routerFolding({ initialConfig }: Pick<FastifyInstance, 'initialConfig'>): RouterFolding {
  const places: RouterSwitches[] = [initialConfig, initialConfig.routerOptions ?? {}]
  return {
    ignoreCase: places.some(({ caseSensitive }) => caseSensitive === false),
    ignoreDuplicateSlashes: places.some(({ ignoreDuplicateSlashes }) => ignoreDuplicateSlashes === true),
    ignoreTrailingSlash: places.some(({ ignoreTrailingSlash }) => ignoreTrailingSlash === true),
    semicolonDelimiter: places.some(({ useSemicolonDelimiter }) => useSemicolonDelimiter === true)
  }
}
