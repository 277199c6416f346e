// Memory whose newest bytes may be on the device. A *place* is an allocation, or a variable at file scope, whose whole
// pages are protected while a device has a copy of them: what touches them brings them back first (fault.c). Its bytes
// before the first whole page and behind the last are copied at every call.
//
// The functions of place.c are called between offload_enter and offload_leave, but for offload_is_in_place and
// offload_place_drop.
#ifndef WHORL_OFFLOAD_PLACE_H
#define WHORL_OFFLOAD_PLACE_H

#include "offload/offload.h"

enum offload_host {
    OFFLOAD_HOST_OWN,    // the program may have changed it since the device saw it; its pages are not protected
    OFFLOAD_HOST_SHARED, // `version` is in it; a write to its pages is noticed
    OFFLOAD_HOST_STALE   // `version` is on the device only; any access to its pages is noticed
};
struct offload_place {
    uint64_t serial; // of all places that there ever were; 0: a free slot
    char *base;
    size_t bytes;
    char *from, *to; // its whole pages
    enum offload_host host;
    uint64_t version;               // of its contents
    struct offload_variant *holder; // whose session has that version; NULL: none that is known
    int holder_param;
};

// One thread at a time is between these two; it may enter again. Signals of the program come through.
void offload_enter(void);
void offload_leave(void);
bool offload_is_inside(void);

// place.c: the place of an array that begins at base. NULL: it has to be copied at every call.
struct offload_place *offload_place_of(char *base, size_t bytes);
// From OWN to SHARED, a new version. False: it stays OWN, and has to be copied.
bool offload_place_share(struct offload_place *p);
// From STALE to SHARED. Ends the process where the device has lost the bytes.
void offload_place_fetch(struct offload_place *p);
// To OWN.
void offload_place_own(struct offload_place *p);
// The device wrote a new version, into the array of a parameter.
void offload_place_written(struct offload_place *p, struct offload_variant *v, int param);
// A run that wrote into that array failed. Ends the process where these were the newest bytes.
void offload_place_spoiled(struct offload_place *p, const struct offload_variant *v, int param, const char *why);
void offload_places_fetch(const struct offload_variant *holder);      // that it holds; NULL: all
bool offload_places_need(const struct offload_variant *v, int param); // the newest bytes of one are there alone
bool offload_places_are_lost(void); // the newest bytes of one are on the device, which is lost
void offload_places_fetch_from(const struct offload_variant *v, int param);
// The sessions' arrays have changed places.
void offload_places_exchange(struct offload_variant *v, int i, struct offload_variant *other, int k);
void offload_places_forget(const struct offload_variant *holder);
void offload_places_own(const char *base, size_t bytes); // all that share a byte with it
void offload_places_stop(const char *why);               // for good: from now on everything is copied
void offload_places_end(void);                           // the device goes
const char *offload_places_why(void);                    // they are off
// The memory is used in a way that pages cannot notice, or was noticed; *out_changed: that made a difference.
enum offload_use { OFFLOAD_READS, OFFLOAD_WRITES, OFFLOAD_USES };
bool offload_places_use(const char *at, size_t bytes, enum offload_use use, bool *out_changed);
bool offload_is_in_place(const char *at, size_t bytes); // without a lock: it may be

// fault.c: any thread, before memory is handed to the kernel.
void offload_touch(const void *at, size_t bytes, enum offload_use use);
bool offload_faults_begin(void); // the handler is there, and the thread that serves it

// registry.c
bool offload_watch_free(
    const void *base); // then offload_place_drop is called before its memory is another's; false: unknown
void offload_place_drop(const char *base); // place.c
void offload_registry_lock(void);          // around a fork
void offload_registry_unlock(void);
// imports.c: NULL, or a function of the program that may do with memory what nobody notices.
const char *offload_unknown_import(void);

// pages.c: pages whose contents change while nobody can see it.
struct offload_pages {
    char *at;
    size_t bytes;
    char *reserved;
    size_t reserved_bytes;
};
bool offload_pages_take(struct offload_pages *out, char *from, size_t bytes); // at `from`, none of it is left
bool offload_pages_put(struct offload_pages *pages, char *to);                // back, with all at once

#endif
