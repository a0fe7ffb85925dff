/** Names, paths and text of a new controller. */
import t from 'tap'
import {
  cleanControllerName,
  controllerSource,
  isControllerName,
  normalPrefix
} from '../../src/create/controller-source.ts'

t.test('names of files', async (t) => {
  const rows: Array<[name: string, allowed: boolean, cleaned: string]> = [
    ['ping', true, 'ping'],
    ['order-lines', true, 'order-lines'],
    ['OrderLines', false, 'order-lines'],
    ['order_lines', false, 'order-lines'],
    ['PingController', false, 'ping'],
    ['controllers/ping.ts', false, 'ping'],
    ['../evil', false, 'evil'],
    ["x'); process.exit(1)", false, 'x-process-exit-1'],
    ['', false, 'orders']
  ]
  for (const [name, allowed, cleaned] of rows) {
    t.equal(isControllerName(name), allowed, name)
    t.equal(cleanControllerName(name), cleaned, name)
    t.ok(isControllerName(cleaned))
  }
})

t.test('prefixes', async (t) => {
  for (const [given, normal] of [
    ['/api', '/api'],
    ['api', '/api'],
    ['/api/', '/api'],
    ['//api//v1', '/api/v1'],
    ['/', ''],
    ['', '']
  ] as const) {
    t.equal(normalPrefix(given), normal, given)
  }
})

t.test('ping is the one of the tutorial', async (t) => {
  const source = controllerSource('ping', '/api', 'shop')
  t.match(source, "@controller('/api')\nexport class PingController {\n  @Get('/ping')")
  t.match(source, "return { pong: true, app: 'shop' }")
})

t.test('any other name', async (t) => {
  const source = controllerSource('order-lines', '', "o'brien")
  t.match(source, "@controller('')\nexport class OrderLinesController {\n  @Get('/order-lines')\n  orderLines ()")
  t.match(source, "return { controller: 'order-lines', app: 'o\\'brien' }")
})
