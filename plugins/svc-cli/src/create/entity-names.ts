/** What a new entity and its parts are called: in code, in files, in the path. Pure. */

export interface EntityNames {
  /** `BlogPost` */
  readonly entity: string
  /** `blog-post`, for the file. */
  readonly file: string
  /** Without a slash at its end: `/api/blog-posts`. */
  readonly route: string
  /** `blog-posts`, the last part of the route: for the files of controller and test. */
  readonly plural: string
  /** `blogPosts` */
  readonly variable: string
  /** `BlogPostsController` */
  readonly controller: string
}

export const ENTITY_NAME_RULE = 'a capital first, then letters and digits, such as BlogPost'
export const ENTITY_ROUTE_RULE = 'a path whose last part names the rows, such as /api/articles'

export function isEntityName(name: string): boolean {
  return /^[A-Z][A-Za-z0-9]{0,62}$/.test(name)
}

/** The nearest allowed name: `blog-post` and `blog post` become `BlogPost`. */
export function cleanEntityName(name: string): string {
  const cleaned = name
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map(capital)
    .join('')
    .replace(/^\d+/, '')
  return cleaned === '' ? 'Article' : capital(cleaned).slice(0, 63)
}

/** A path of fixed parts: rows are found by the last one, so it can be no parameter. */
export function isEntityRoute(route: string): boolean {
  return /^\/?(?:[\w.-]+\/)*[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*\/?$/i.test(route)
}

/** @param route as it was given; default: the plural under `/api` */
export function entityNames(entity: string, route?: string): EntityNames {
  const file = kebab(entity)
  const parts = (route ?? `/api/${pluralOf(file)}`).split('/').filter(Boolean)
  const plural = kebab(parts.at(-1) ?? '')
  const [first = '', ...others] = plural.split('-')
  const variable = [first, ...others.map(capital)].join('')
  return {
    entity,
    file,
    route: `/${parts.join('/')}`,
    plural,
    variable,
    controller: `${capital(variable)}Controller`
  }
}

/** A guess, and no more: `--route` says otherwise. */
function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`
}

function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
