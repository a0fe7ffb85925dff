/** The text of a new controller. Pure. */

const ALLOWED = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** The rule, in words for a person. */
export const CONTROLLER_NAME_RULE = 'lower-case words joined by -, such as order-lines'

export function isControllerName(name: string): boolean {
  return ALLOWED.test(name) && name.length <= 64
}

/** The nearest allowed name: `OrderLines`, `order_lines` and `Order lines` become `order-lines`. */
export function cleanControllerName(name: string): string {
  const cleaned = name
    .replace(/[\\/]?controllers[\\/]|\.[cm]?[jt]s$/g, '')
    .replace(/(?:[-_\s]?controller)$/i, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
  return cleaned === '' ? 'orders' : cleaned
}

/** `/api` for `api`, `/api/` and `/api`; empty for the root. */
export function normalPrefix(route: string): string {
  const path = route.split('/').filter(Boolean).join('/')
  return path === '' ? '' : `/${path}`
}

/**
 * @param name as in the file name: `order-lines`
 * @param prefix path in front, as `normalPrefix` gives it
 * @param app name of the application
 */
export function controllerSource(name: string, prefix: string, app: string): string {
  const answer = name === 'ping' ? 'pong: true' : `controller: '${name}'`
  return `/** ${prefix}/${name} */
import { controller, Get } from 'svc-decorators'

@controller('${prefix}')
export class ${className(name)} {
  @Get('/${name}')
  ${methodName(name)} () {
    return { ${answer}, app: '${app.replace(/[\\']/g, '\\$&')}' }
  }
}
`
}

function className(name: string): string {
  return `${name.split('-').map(capital).join('')}Controller`
}

function methodName(name: string): string {
  const joined = className(name).replace(/Controller$/, '')
  return joined.charAt(0).toLowerCase() + joined.slice(1)
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
