/**
 * The address of the primary connector as the environment gives it. The one file
 * of this package that reads the environment: an operator moves the database
 * without touching the configuration.
 */
import { BootError, type Problem } from 'svc-kernel'

export interface EnvironmentUri {
  readonly uri: string
  readonly variable: 'DOCDB_URI' | 'SVC_DATABASE_URL'
}

/** What may be inside is for the driver to say; no part of an address has a blank. */
const DOCUMENT_URI = /^mongodb(?:\+srv)?:\/\/[^/?\s]\S*$/

/**
 * `DOCDB_URI`, else `SVC_DATABASE_URL` where that is the address of a document database.
 *
 * @throws BootError (SVC_DOCDB_URI) when `DOCDB_URI` is no such address, or the other names this kind of database and is
 * none; its value is not shown
 */
export function primaryUri(env: Readonly<Record<string, string | undefined>> = process.env): EnvironmentUri | null {
  const { DOCDB_URI: own, SVC_DATABASE_URL: shared } = env
  if (own !== undefined && own !== '') {
    if (!DOCUMENT_URI.test(own)) throw new BootError([notAnAddress('DOCDB_URI', own)])
    return { uri: own, variable: 'DOCDB_URI' }
  }
  if (shared === undefined || shared === '') return null
  if (DOCUMENT_URI.test(shared)) return { uri: shared, variable: 'SVC_DATABASE_URL' }
  if (/^mongodb/i.test(shared)) throw new BootError([notAnAddress('SVC_DATABASE_URL', shared)])
  return null
}

/** What a log says of a `SVC_DATABASE_URL` that names a database of another kind; `null` where it names none. */
export function unusedAddress(
  env: Readonly<Record<string, string | undefined>> = process.env
): { readonly code: string; readonly variable: string; readonly scheme: string } | null {
  const { DOCDB_URI: own = '', SVC_DATABASE_URL: shared = '' } = env
  if (own !== '' || shared === '' || DOCUMENT_URI.test(shared)) return null
  return { code: 'SVC_DOCDB_URL_UNUSED', variable: 'SVC_DATABASE_URL', scheme: schemeOf(shared) }
}

/** An address that has the right form, and that the driver cannot read all the same. @param at where it was given */
export function unreadableAddress(error: unknown, at: string): Problem {
  const reason = error instanceof Error ? error.message : ''
  return {
    code: 'SVC_DOCDB_URI',
    message: 'the address of the document database is malformed',
    at,
    // Of what the driver says only this is sure to hold no credentials.
    got: /^options? [\w, ]+ (?:is|are) not supported$/.test(reason) ? reason : 'an address that the driver refuses',
    expected: 'mongodb://user:password@host:port/database?replicaSet=rs0',
    fix: 'percent-encode user and password, and check hosts, ports and the options after ?'
  }
}

/** What `SVC_DATABASE_URL` says of the application's database: that it holds documents, or that it is another one. */
export function declaredDatabase(
  env: Readonly<Record<string, string | undefined>> = process.env
): 'documents' | 'another' | null {
  const { SVC_DATABASE_URL: url = '' } = env
  if (url === '') return null
  return DOCUMENT_URI.test(url) ? 'documents' : 'another'
}

function schemeOf(given: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.exec(given)?.[0] ?? 'none'
}

function notAnAddress(variable: EnvironmentUri['variable'], given: string): Problem {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(given)?.[0]
  const blank = /\s/.test(given) ? ', with a blank in it' : ''
  return {
    code: 'SVC_DOCDB_URI',
    message: `${variable} is not the address of a document database`,
    at: `env ${variable}`,
    got: `${scheme === undefined ? 'a text without a scheme' : `${scheme}...`}${blank}`,
    expected: 'mongodb://host:port/database or mongodb+srv://...',
    fix: 'correct it, or unset it to use svc-docdb.connectors'
  }
}
