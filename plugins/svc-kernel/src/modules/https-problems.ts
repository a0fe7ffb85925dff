/** What can be said against `server.https` before any file is read. A made certificate proves nothing, so production brings its own. Pure. */
import type { Problem } from '../problems/problem.ts'
import type { SvcConfig } from './define-config.ts'
import { runningMode } from './running-mode.ts'

/** @param config one whose keys and types are right */
export function httpsProblems({ mode = runningMode(), server: { https = false } = {} }: SvcConfig): Problem[] {
  if (https === false) return []
  const { key, cert } = https === true ? {} : https
  const own = [key, cert].filter((path) => path !== undefined)
  if (own.length === 2 || (own.length === 0 && mode !== 'production')) return []
  const missing = own.length === 0 ? 'a key and a certificate' : key === undefined ? 'a key' : 'a certificate'
  return [
    {
      code: 'SVC_HTTPS_CERTIFICATE',
      message: own.length === 0 ? `https in production needs ${missing} of its own` : `https lacks ${missing}`,
      at: 'server.https',
      expected: 'key and cert: paths of PEM files',
      fix: "https: { key: 'tls/key.pem', cert: 'tls/cert.pem' }",
      more: 'docs/guides/getting-started.md'
    }
  ]
}
