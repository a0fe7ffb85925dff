/** Why the server could not listen, and both ways out. */
import type { Problem } from 'svc-kernel'
import type { ListenTarget } from '../config/listen-target.ts'
import { describeHolder, portHolder } from './port-holder.ts'

/**
 * @param command how the person started it, repeated in the fix: `npm run dev`
 * @returns `null` when the failure is not about the address
 */
export async function listenProblem(
  error: unknown,
  { host, port, setting = 'server' }: ListenTarget,
  command: string
): Promise<Problem | null> {
  const choose = (name: 'host' | 'port', value: string | number) =>
    setting === 'server' ? `${name.toUpperCase()}=${value} ${command}` : `set ${setting}.${name} to ${value}`
  const { code } = (error ?? {}) as { code?: string }
  if (code === 'EADDRINUSE') {
    const holder = await portHolder(port)
    const otherPort = port + 10 <= 65535 ? port + 10 : port - 10
    return {
      code: 'SVC_PORT_BUSY',
      message: `port ${port} on ${host} is in use${holder === null ? '' : ` by ${describeHolder(holder, Date.now())}`}`,
      at: `${setting}.port (${host}:${port})`,
      fix: `${holder === null ? 'stop the other server' : `stop it (kill ${holder.pid})`} or ${choose('port', otherPort)}`
    }
  }
  if (code === 'EACCES') {
    return {
      code: 'SVC_PORT_FORBIDDEN',
      message: `port ${port} may not be opened by this user`,
      at: `${setting}.port`,
      fix: choose('port', setting === 'server' ? 5151 : 5152)
    }
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return {
      code: 'SVC_HOST_UNKNOWN',
      message: `${host} is not an address of this machine`,
      at: `${setting}.host`,
      fix: choose('host', '127.0.0.1')
    }
  }
  return null
}
