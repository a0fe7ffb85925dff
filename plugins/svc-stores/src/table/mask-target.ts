/**
 * A connection string as it may be shown: where the database is, never how to
 * get in. Pure. What is not understood is not shown at all.
 *
 * Several hosts, as of replica sets and failover lists, stay; user, password,
 * query and fragment go, as drivers take passwords and key files in the query too.
 */

const SCHEME = /^((?:jdbc:)?[a-z][a-z0-9+.-]*):\/\//i
const FILE = /^(?:(?:file|sqlite):|[/.:]|[a-z]:[\\/])/i

/** A host name, an IPv4 address, `[IPv6]`, or the encoded path of a socket; with a port, if any. */
const HOST = /^(?:[\w.%-]*|\[[0-9a-f:.]+(?:%[\w.-]+)?\])(?::\d{1,5})?$/i

const DATABASE = /^\/[\w.$~-]*$/

/** What is shown where the rest cannot be told from a secret. */
const HIDDEN = '...'

/**
 * @param target a connection string (`mongodb+srv://u:p@a,b/db`), a list of `key=value` pairs as of libpq, or a file
 * @returns `scheme://hosts/database`, the `host`, `port` and `dbname` of pairs, or the file
 */
export function maskTarget(target: string): string {
  if (FILE.test(target)) return withoutQuery(target)
  const scheme = SCHEME.exec(target)?.[1]
  if (scheme !== undefined) return `${scheme.toLowerCase()}://${maskAuthority(target.slice(scheme.length + 3))}`
  if (target.includes('@')) return maskAuthority(target)
  return target.includes('=') ? maskPairs(target) : withoutQuery(target)
}

/** Where a password may hold a bare `?` or `#`, an `@` after one cannot be told from the end of the credentials. */
function maskAuthority(rest: string): string {
  const head = withoutQuery(rest)
  if (rest.slice(head.length).includes('@')) return HIDDEN
  const [hosts = '', ...path] = head.slice(head.lastIndexOf('@') + 1).split('/')
  const shown = hosts.split(',').map((host) => (HOST.test(host) ? host : HIDDEN))
  const database = path.length === 0 ? '' : `/${path.join('/')}`
  return `${shown.join(',')}${database === '' || DATABASE.test(database) ? database : `/${HIDDEN}`}`
}

function maskPairs(target: string): string {
  const pairs = [...target.matchAll(/(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|[^\s']+)/g)]
  const shown = ['host', 'hostaddr', 'port', 'dbname'].flatMap((name) => {
    const value = pairs.findLast(([, key]) => key === name)?.[2]
    return value !== undefined && /^[\w.,:/-]+$/.test(value) ? [`${name}=${value}`] : []
  })
  return shown.join(' ') || HIDDEN
}

function withoutQuery(text: string): string {
  return text.replace(/[?#].*$/s, '')
}
