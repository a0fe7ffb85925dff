/** How this Fastify instance's router folds a path before it matches; the firewall must fold alike. */
import type { FastifyInstance } from 'fastify'

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

/** Switches may stand under `routerOptions` or, as in older applications, at the top; either one counts. */
export function routerFolding({ initialConfig }: Pick<FastifyInstance, 'initialConfig'>): RouterFolding {
  const places: RouterSwitches[] = [initialConfig, initialConfig.routerOptions ?? {}]
  return {
    ignoreCase: places.some(({ caseSensitive }) => caseSensitive === false),
    ignoreDuplicateSlashes: places.some(({ ignoreDuplicateSlashes }) => ignoreDuplicateSlashes === true),
    ignoreTrailingSlash: places.some(({ ignoreTrailingSlash }) => ignoreTrailingSlash === true),
    semicolonDelimiter: places.some(({ useSemicolonDelimiter }) => useSemicolonDelimiter === true)
  }
}
