/** Folders of pure decision logic, of which every line must run in the tests of the packages that own them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What decides, and therefore must be tried in full. */
const PURE = [
  'plugins/svc-kernel/src/access',
  'plugins/svc-kernel/src/secret-box',
  'plugins/svc-limits/src/limit',
  'plugins/svc-orm/src/criteria',
  'plugins/svc-orm/src/crud',
  'plugins/svc-orm/src/entities',
  'plugins/svc-security/src/authentication',
  'plugins/svc-security/src/authorization',
  'plugins/svc-security/src/cross-origin',
  'plugins/svc-security/src/promises',
  'plugins/svc-security/src/stores',
  'plugins/svc-webhooks/src/signature',
  'plugins/svc-webhooks/src/ssrf'
]

/** In those folders, what reads files or watches open WebSockets: `test/interop/open-sockets.test.ts` has the sockets. */
const NOT_PURE = new Set([
  'plugins/svc-orm/src/entities/load-entities.ts',
  'plugins/svc-security/src/authentication/authenticators/session-authenticator.ts',
  'plugins/svc-security/src/authentication/revalidation/revalidation.ts',
  'plugins/svc-security/src/authentication/socket-identities.ts'
])

/** How many there are. */
export const folderCount = PURE.length

/** The packages that own such folders, relative to the root. */
export const owners = [...new Set(PURE.map((folder) => folder.split('/src/')[0]))]

/** What the compiler makes of them, as patterns. */
export const compiledFolders = PURE.map((folder) => `${folder.replace('/src/', '/dist/src/')}/**`)

/** Their sources that have code, relative to `root`. */
export function pureSources(root) {
  for (const file of NOT_PURE) {
    if (!existsSync(join(root, file))) throw new Error(`${file} is gone: correct the list in .config/pure-folders.mjs`)
  }
  return PURE.flatMap((folder) => sourcesWithCode(root, folder))
}

/** Files that hold only types leave nothing to run, and so nothing to cover. */
function sourcesWithCode(root, folder) {
  if (!existsSync(join(root, folder)))
    throw new Error(`${folder} is gone: correct the list in .config/pure-folders.mjs`)
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .filter((file) => !NOT_PURE.has(file) && !holdsOnlyTypes(root, file))
}

function holdsOnlyTypes(root, file) {
  const compiled = file.replace('/src/', '/dist/src/').replace(/\.ts$/, '.js')
  const code = readFileSync(join(root, compiled), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|export \{\};/g, '')
  return code.trim() === ''
}
