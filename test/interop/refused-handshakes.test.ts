/** WebSocket handshakes that open nothing: refused before the 101, in the one error body. */
import svcDecorators, { controller, Get, Message, WebSocket } from 'svc-decorators'
import t from 'tap'
import { RawConnection, rawUpgrade } from '../support/raw-http.ts'
import { startApp } from '../support/start-app.ts'

@controller('/api')
class Pages {
  @Get('/page')
  page(): unknown {
    return { page: true }
  }

  @WebSocket('/echo')
  echo(@Message() text: string): unknown {
    return { echo: text }
  }
}

const REFUSED: ReadonlyArray<readonly [what: string, request: string, status: number, code: string]> = [
  ['R11: a route that answers plain requests alone', rawUpgrade('/api/page'), 400, 'SVC_WS_HTTP_ROUTE'],
  ['R11: a path without a route', rawUpgrade('/api/nothing'), 404, 'SVC_HTTP_NOT_FOUND'],
  ['R10: no key', rawUpgrade('/api/echo').replace(/sec-websocket-key: [^\r]*\r\n/i, ''), 400, 'SVC_WS_HANDSHAKE'],
  [
    'R10: another version',
    rawUpgrade('/api/echo').replace(/(sec-websocket-version: )13/i, '$17'),
    400,
    'SVC_WS_HANDSHAKE'
  ],
  ['R10: no host', rawUpgrade('/api/echo').replace(/host: [^\r]*\r\n/i, ''), 400, 'SVC_HTTP_400']
]

t.test('a handshake that opens nothing', async (t) => {
  const { port } = await startApp(t, { modules: [[svcDecorators, { controllers: [Pages] }]] })
  for (const [what, request, statusCode, code] of REFUSED) {
    const connection = await RawConnection.open(port)
    const answer = await connection.exchange(request)
    t.equal(answer.status, statusCode, what)
    const body = JSON.parse(answer.body)
    t.match(body, { statusCode, code, error: String, message: String }, what)
    t.match(answer.headers['content-type'], /^application\/json/, what)
    connection.close()
  }
  const plain = await RawConnection.open(port)
  const page = await plain.exchange('GET /api/page HTTP/1.1\r\nHost: a\r\n\r\n')
  t.match(page, { status: 200, body: '{"page":true}' }, 'a plain request is served')
  plain.close()
})
