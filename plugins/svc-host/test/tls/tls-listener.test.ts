/** The TLS port before a server that handles nothing: nobody is left waiting. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import t from 'tap'
import { devCertificate } from '../../src/tls/dev-certificate.ts'
import { TlsListener } from '../../src/tls/tls-listener.ts'

t.test('what is no HTTP is hung up on where nobody answers it', async (t) => {
  const certificate = await devCertificate(t.testdir())
  const tls = new TlsListener(certificate, createServer())
  t.teardown(() => tls.close())
  await tls.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect({ port: (tls.server.address() as AddressInfo).port, host: '127.0.0.1', ca: certificate.cert })
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  socket.write('no request\r\n\r\n')
  await closed
  t.equal(answer, '')
})
