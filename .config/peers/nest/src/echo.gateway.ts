/** The echo over WebSocket. */
import { MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets'

@WebSocketGateway({ path: '/public/echo' })
export class EchoGateway {
  @SubscribeMessage('echo')
  echo(@MessageBody() text: string) {
    return { echo: text }
  }
}
