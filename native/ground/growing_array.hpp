// An array of plain values that grows in place where the system can do that.
//
// A std::vector that grows holds the old and the new values for a moment, which breaks a memory
// limit just when it matters. Large blocks of realloc are moved by the system's page tables
// instead.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace pg3 {

template <typename T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  GrowingArray() = default;
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;
  ~GrowingArray() { std::free(data_); }

  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  const T* data() const { return data_; }

  void push_back(const T& value) {
    const T copy = value;  // it may lie in this very array
    make_room(1);
    data_[size_++] = copy;
  }
  // The values must not lie in this array.
  void append(const T* values, size_t count) {
    make_room(count);
    for (size_t i = 0; i < count; ++i) data_[size_ + i] = values[i];
    size_ += count;
  }
  // Drops what is beyond; never lengthens.
  void truncate(size_t size) { size_ = size < size_ ? size : size_; }

  // Room for so many more. Spaces are most of a learner's memory, so they grow by a quarter only.
  void make_room(size_t more) {
    const size_t needed = size_ + more;
    if (needed <= capacity_) return;
    const size_t capacity = needed + needed / 4 + 16;
    T* data = static_cast<T*>(std::realloc(data_, capacity * sizeof(T)));
    if (!data) throw std::bad_alloc();
    data_ = data;
    capacity_ = capacity;
  }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace pg3
