/**
 * Keys that are not configured. In development they live as long as the process,
 * beyond the reload that follows an edit: what was sealed or signed before it can
 * be opened after it. Everywhere else each application makes its own.
 */
import type { AppHost } from '../plugin/app-host.ts'

/** On the global object: a reload may load this very file again. */
const KEPT = Symbol.for('svc.development-secrets')

type Kept = Map<string, unknown>

/**
 * @param host two applications in one process have secrets of their own
 * @param name what the secret is for, such as `svc-webhooks/secret`
 * @param make called once per process in development, else with every call
 */
export function developmentSecret<Secret>(host: AppHost, name: string, make: () => Secret): Secret {
  if (host.mode !== 'development') return make()
  const holder = globalThis as { [KEPT]?: Kept }
  holder[KEPT] ??= new Map()
  const key = JSON.stringify([host.root, name])
  if (!holder[KEPT].has(key)) holder[KEPT].set(key, make())
  return holder[KEPT].get(key) as Secret
}
