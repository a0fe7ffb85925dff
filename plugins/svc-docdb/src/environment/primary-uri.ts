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
 * @throws BootError (SVC_DOCDB_URI) when `DOCDB_URI` is no such address; its value is not shown
 */
export function primaryUri(env: Readonly<Record<string, string | undefined>> = process.env): EnvironmentUri | null {
  const { DOCDB_URI: own, SVC_DATABASE_URL: shared } = env
  if (own !== undefined && own !== '') {
    if (!DOCUMENT_URI.test(own)) throw new BootError([notAnAddress(own)])
    return { uri: own, variable: 'DOCDB_URI' }
  }
  return shared !== undefined && DOCUMENT_URI.test(shared) ? { uri: shared, variable: 'SVC_DATABASE_URL' } : null
}

/** An address that has the right form, and that the driver cannot read all the same. @param at where it was given */
export function unreadableAddress(error: unknown, at: string): Problem {
  const reason = error instanceof Error ? error.message : ''
  return {
    code: 'SVC_DOCDB_URI',
    message: 'the address of a document database cannot be read',
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

function notAnAddress(given: string): Problem {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(given)?.[0]
  const blank = /\s/.test(given) ? ', with a blank in it' : ''
  return {
    code: 'SVC_DOCDB_URI',
    message: 'DOCDB_URI is not the address of a document database',
    at: 'env DOCDB_URI',
    got: `${scheme === undefined ? 'a text without a scheme' : `${scheme}...`}${blank}`,
    expected: 'mongodb://host:port/database or mongodb+srv://...',
    fix: 'correct it, or unset it to use svc-docdb.connectors'
  }
}
