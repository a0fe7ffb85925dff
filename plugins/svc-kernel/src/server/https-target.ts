/** Where an application also listens for https: nowhere, unless `server.https` says so. */
import type { Application } from '../modules/application.ts'
import type { ListenTarget } from './listen-problem.ts'

/** @returns `null` where https is off; else its own choice, else the host of the plain port and 5152 */
export function httpsTarget({ config: { server = {} } }: Pick<Application, 'config'>): ListenTarget | null {
  const { https = false } = server
  if (https === false) return null
  const { host = server.host ?? '127.0.0.1', port = 5152 } = https === true ? {} : https
  return { host, port, setting: 'server.https' }
}
