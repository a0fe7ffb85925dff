/** How each authenticator's credential is carried, as OpenAPI security schemes. Pure. */
import type { SecurityScheme } from '../options.ts'

const BUILT_IN: Readonly<Record<string, SecurityScheme>> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-svc_session',
    description: 'Session cookie of a login; over plain HTTP its name has no `__Host-`.'
  },
  jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token.' },
  apikey: { type: 'http', scheme: 'bearer', bearerFormat: 'API key', description: 'Personal access token.' },
  userpassword: { type: 'http', scheme: 'basic', description: 'Identifier and password, in UTF-8.' }
}

/**
 * @param names authenticators that routes name
 * @param given schemes of the application; they win over the built-in ones
 */
export function securitySchemes(
  names: Iterable<string>,
  given: Readonly<Record<string, SecurityScheme>>
): Record<string, SecurityScheme> {
  return Object.fromEntries(
    [...new Set(names)].sort().map((name) => [name, ownOf(given, name) ?? ownOf(BUILT_IN, name) ?? unknown(name)])
  )
}

/** An authenticator may be called `constructor`. */
function ownOf(schemes: Readonly<Record<string, SecurityScheme>>, name: string): SecurityScheme | undefined {
  return Object.hasOwn(schemes, name) ? schemes[name] : undefined
}

/** The application's own authenticator: only it knows what it reads. */
function unknown(name: string): SecurityScheme {
  return {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: `Read by the authenticator "${name}".`
  }
}
