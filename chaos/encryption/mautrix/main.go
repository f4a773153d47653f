// A client with mautrix-go, driven by lines of JSON: each line of the input is a command, and answered by a line. It is built
// with the tag goolm, so that its encryption is written in Go.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"maunium.net/go/mautrix"
	"maunium.net/go/mautrix/crypto"
	"maunium.net/go/mautrix/event"
	"maunium.net/go/mautrix/id"
)

type command struct {
	Do       string      `json:"do"`
	URL      string      `json:"url"`
	User     string      `json:"user"`
	Password string      `json:"password"`
	Device   id.DeviceID `json:"device"`
	Room     id.RoomID   `json:"room"`
	Text     string      `json:"text"`
}

// device is one device of a user. It synchronizes until the program ends.
type device struct {
	client  *mautrix.Client
	machine *crypto.OlmMachine
	state   *mautrix.MemoryStateStore

	lock       sync.Mutex
	texts      map[id.RoomID][]string
	unreadable map[id.RoomID]int
}

// members is the state store with the question that the encryption asks.
type members struct {
	*mautrix.MemoryStateStore
}

func (store members) FindSharedRooms(ctx context.Context, user id.UserID) (rooms []id.RoomID, err error) {
	for room := range store.Encryption {
		if store.IsInRoom(ctx, room, user) {
			rooms = append(rooms, room)
		}
	}
	return rooms, nil
}

// patient is a syncer that soon tries again while the server is away.
type patient struct {
	*mautrix.DefaultSyncer
}

func (patient) OnFailedSync(*mautrix.RespSync, error) (time.Duration, error) {
	return 200 * time.Millisecond, nil
}

func (d *device) login(ctx context.Context, c command) (any, error) {
	client, err := mautrix.NewClient(c.URL, "", "")
	if err != nil {
		return nil, err
	}
	_, err = client.Login(ctx, &mautrix.ReqLogin{
		Type:             mautrix.AuthTypePassword,
		Identifier:       mautrix.UserIdentifier{Type: mautrix.IdentifierTypeUser, User: c.User},
		Password:         c.Password,
		DeviceID:         c.Device,
		StoreCredentials: true,
	})
	if err != nil {
		return nil, err
	}
	log := zerolog.New(os.Stderr).Level(zerolog.WarnLevel)
	d.client = client
	d.state = mautrix.NewMemoryStateStore().(*mautrix.MemoryStateStore)
	client.StateStore = d.state
	d.machine = crypto.NewOlmMachine(client, &log, crypto.NewMemoryStore(nil), members{d.state})
	if err := d.machine.Load(ctx); err != nil {
		return nil, err
	}
	syncer := patient{client.Syncer.(*mautrix.DefaultSyncer)}
	client.Syncer = syncer
	syncer.OnSync(d.machine.ProcessSyncResponse)
	syncer.OnEvent(client.StateStoreSyncHandler)
	syncer.OnEventType(event.StateMember, d.machine.HandleMemberEvent)
	syncer.OnEventType(event.EventEncrypted, d.decrypt)
	if err := d.machine.ShareKeys(ctx, -1); err != nil {
		return nil, err
	}
	// The other devices of the user, whose keys the machine asks for only when they change.
	if _, err := d.machine.FetchKeys(ctx, []id.UserID{client.UserID}, true); err != nil {
		return nil, err
	}
	go func() {
		if err := client.SyncWithContext(ctx); err != nil {
			panic(err)
		}
	}()
	return map[string]any{"device": client.DeviceID}, nil
}

func (d *device) decrypt(ctx context.Context, encrypted *event.Event) {
	read, err := d.machine.DecryptMegolmEvent(ctx, encrypted)
	d.lock.Lock()
	defer d.lock.Unlock()
	if err != nil {
		d.unreadable[encrypted.RoomID]++
		return
	}
	if message := read.Content.AsMessage(); message != nil {
		d.texts[encrypted.RoomID] = append(d.texts[encrypted.RoomID], message.Body)
	}
}

func (d *device) members(ctx context.Context, room id.RoomID) (users []id.UserID, err error) {
	joined, err := d.client.JoinedMembers(ctx, room)
	if err != nil {
		return nil, err
	}
	for user := range joined.Joined {
		users = append(users, user)
	}
	return users, nil
}

func (d *device) send(ctx context.Context, c command) (any, error) {
	content := &event.MessageEventContent{MsgType: event.MsgText, Body: c.Text}
	encrypted, err := d.machine.EncryptMegolmEvent(ctx, c.Room, event.EventMessage, content)
	if err != nil {
		users, err := d.members(ctx, c.Room)
		if err != nil {
			return nil, err
		}
		if err := d.machine.ShareGroupSession(ctx, c.Room, users); err != nil {
			return nil, err
		}
		if encrypted, err = d.machine.EncryptMegolmEvent(ctx, c.Room, event.EventMessage, content); err != nil {
			return nil, err
		}
	}
	sent, err := d.client.SendMessageEvent(ctx, c.Room, event.EventEncrypted, encrypted)
	if err != nil {
		return nil, err
	}
	return map[string]any{"event": sent.EventID}, nil
}

// recipients returns the devices to which the next message is encrypted; none until the device knows that the room is encrypted.
func (d *device) recipients(ctx context.Context, c command) (any, error) {
	devices := []id.DeviceID{}
	if encrypted, err := d.state.IsEncrypted(ctx, c.Room); err != nil || !encrypted {
		return map[string]any{"devices": devices}, err
	}
	users, err := d.members(ctx, c.Room)
	if err != nil {
		return nil, err
	}
	for _, user := range users {
		if known, err := d.machine.CryptoStore.GetDevices(ctx, user); err != nil {
			return nil, err
		} else if known == nil {
			if _, err := d.machine.FetchKeys(ctx, []id.UserID{user}, true); err != nil {
				return nil, err
			}
		}
		known, err := d.machine.CryptoStore.GetDevices(ctx, user)
		if err != nil {
			return nil, err
		}
		for device := range known {
			devices = append(devices, device)
		}
	}
	return map[string]any{"devices": devices}, nil
}

func (d *device) do(ctx context.Context, c command) (any, error) {
	switch c.Do {
	case "login":
		return d.login(ctx, c)
	case "join":
		joined, err := d.client.JoinRoomByID(ctx, c.Room)
		if err != nil {
			return nil, err
		}
		return map[string]any{"room": joined.RoomID}, nil
	case "send":
		return d.send(ctx, c)
	case "recipients":
		return d.recipients(ctx, c)
	case "received":
		d.lock.Lock()
		defer d.lock.Unlock()
		return map[string]any{"texts": append([]string{}, d.texts[c.Room]...), "unreadable": d.unreadable[c.Room]}, nil
	}
	return nil, fmt.Errorf("unknown command %q", c.Do)
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d := &device{texts: map[id.RoomID][]string{}, unreadable: map[id.RoomID]int{}}
	answers := json.NewEncoder(os.Stdout)
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		var c command
		if err := json.Unmarshal(input.Bytes(), &c); err != nil {
			panic(err)
		}
		answer, err := d.do(ctx, c)
		if err != nil {
			answer = map[string]any{"error": err.Error()}
		}
		if err := answers.Encode(answer); err != nil {
			panic(err)
		}
	}
}
