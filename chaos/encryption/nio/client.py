"""A client with matrix-nio, driven by lines of JSON: each line of the input is a command, and answered by a line."""

import asyncio
import json
import sys

from nio import AsyncClient, AsyncClientConfig, InviteMemberEvent, MegolmEvent, RoomMessageText


class Client:
    """One device of a user. It synchronizes until the program ends."""

    def __init__(self):
        self.client = None
        self.syncing = None
        self.texts = {}
        self.unreadable = {}
        self.invited = set()

    async def login(self, url, user, password, device, store):
        config = AsyncClientConfig(encryption_enabled=True, store_sync_tokens=True)
        self.client = AsyncClient(url, user, device, store_path=store, config=config)
        answer = await self.client.login(password)
        if not self.client.logged_in:
            raise RuntimeError(str(answer))
        self.client.add_event_callback(self.on_text, RoomMessageText)
        self.client.add_event_callback(self.on_unreadable, MegolmEvent)
        self.client.add_event_callback(self.on_invite, InviteMemberEvent)
        # Uploads the keys of the device before anybody is answered.
        await self.client.sync(timeout=0, full_state=True)
        if self.client.should_upload_keys:
            await self.client.keys_upload()
        self.syncing = asyncio.create_task(self.client.sync_forever(timeout=5000))
        return {"device": self.client.device_id}

    async def on_text(self, room, event):
        self.texts.setdefault(room.room_id, []).append(event.body)

    async def on_unreadable(self, room, event):
        self.unreadable.setdefault(room.room_id, []).append(event.event_id)

    async def on_invite(self, room, event):
        self.invited.add(room.room_id)

    async def join(self, room):
        answer = await self.client.join(room)
        return {"room": answer.room_id}

    async def send(self, room, text):
        content = {"msgtype": "m.text", "body": text}
        answer = await self.client.room_send(room, "m.room.message", content, ignore_unverified_devices=True)
        return {"event": answer.event_id}

    async def received(self, room):
        """The texts that the device could read, and how many messages it could not."""
        return {"texts": self.texts.get(room, []), "unreadable": len(self.unreadable.get(room, []))}

    async def recipients(self, room):
        """The devices to which the next message is encrypted; none until the room is known to be encrypted."""
        known = self.client.rooms.get(room)
        if known is None or not known.encrypted:
            return {"devices": []}
        store = self.client.device_store
        return {"devices": [device.id for user in known.users for device in store.active_user_devices(user)]}


async def main():
    client = Client()
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        command = json.loads(line)
        operation = command.pop("do")
        try:
            answer = await getattr(client, operation)(**command)
        except Exception as error:  # the test prints what went wrong
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
    if client.syncing:
        client.syncing.cancel()
    if client.client:
        await client.client.close()


asyncio.run(main())
