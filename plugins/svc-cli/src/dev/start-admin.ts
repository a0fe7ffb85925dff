/**
 * `svc dev --admin`: an administrator with a password of this start, printed once and kept nowhere in clear. A user of that
 * name gets it too, so that what is printed works; as with every new password, what let the user in before ends.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type AppHost, decoratorOf } from 'svc-kernel'
import type { Paint } from 'svc-kernel/host'
import { accountsOf } from '../application/accounts-view.ts'
import { checkName, durable } from '../data/create-user.ts'
import { settingPassword } from '../data/read-password.ts'
import { CommandError } from '../errors.ts'

const ROLE = 'ROLE_SVC_ADMIN'
const PASSWORD_BYTES = 12

/**
 * @returns the password
 * @throws CommandError SVC_DEV_ADMIN outside of development, and as `svc user:create`
 */
export async function makeStartAdmin(fastify: FastifyInstance, identifier: string): Promise<string> {
  checkName(identifier)
  const mode = decoratorOf(fastify as unknown as { appHost: AppHost }, 'appHost')?.mode
  if (mode !== 'development') {
    throw new CommandError({
      code: 'SVC_DEV_ADMIN',
      message: 'dev --admin works in development only',
      at: '--admin',
      got: `mode ${mode}`,
      fix: `remove --admin, or: npx svc user:create ${identifier} --role ${ROLE}`
    })
  }
  const accounts = durable(accountsOf(fastify))
  const password = randomBytes(PASSWORD_BYTES).toString('hex')
  const user = await accounts.find(identifier)
  if (user === null) {
    await settingPassword(accounts.create({ identifier, password, roles: [ROLE] }))
    return password
  }
  if (!user.roles.includes(ROLE)) await accounts.setRoles(identifier, [...user.roles, ROLE])
  await settingPassword(accounts.setPassword(identifier, password))
  return password
}

export interface StartFacts {
  readonly url: string
  readonly identifier: string
  readonly password: string
  /** From where the command was typed; empty for the same folder. */
  readonly folder: string
}

/** Where to look first, and what to try. A page that the application does not serve is left out. */
export function startLines(fastify: FastifyInstance, facts: StartFacts, paint: Paint): string {
  const { url, identifier, password, folder } = facts
  const served = (path: string) => fastify.hasRoute({ method: 'GET', url: path })
  const [consolePath, referencePath] = ['/svc/console', '/svc/docs/api/']
  const signIn = `sign in as ${paint('bold', identifier)}, password ${paint('bold', password)}`
  const rows: [label: string, text: string][] = [
    ['application', paint('cyan', `${url}/`)],
    ['console', served(consolePath) ? `${paint('cyan', url + consolePath)}  ${signIn}` : signIn],
    ...(served(referencePath) ? [['API reference', paint('cyan', url + referencePath)] as [string, string]] : []),
    ['try next', `${folder === '' ? '' : `cd ${folder} && `}npx svc create entity Task title:string`]
  ]
  return rows.map(([label, text]) => `  ${label.padEnd(15)}${text}`).join('\n')
}
